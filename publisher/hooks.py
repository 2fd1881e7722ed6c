"""The thin hook between MkDocs and the publisher; all the work is in `publisher.site`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import minify
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent


def _add_project_to_path() -> None:
    """Let imports find the project: MkDocs loads this file by its path, then resets sys.path."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))


_add_project_to_path()
from publisher import site as publishing  # noqa: E402

# One thread adds in one order; and a compiled file written under snippets/ would wake the watcher.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.dont_write_bytecode = True

# Outlives a rebuild under `mkdocs serve`: MkDocs loads this file once.
_memo: dict[Any, tuple[Any, Any]] = {}
_now: dict[str, publishing.Site] = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Say what the site is called when it is cited."""
    _add_project_to_path()
    # No date reaches the site: two builds of one commit are the same bytes.
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    # Under `serve` site_url is the local server's address.
    address = str(config.extra.get("address") or config.site_url or "/")
    try:
        config.extra["credit"] = publishing.credit(ROOT, address)
    except publishing.Mistake as mistake:
        raise Abort(str(mistake)) from None
    return config


def on_pre_build(config: MkDocsConfig) -> None:
    """Compute and render before MkDocs empties the old site, so that a mistake leaves it whole."""
    # This process outlives the snippets: let the next import read them again.
    for name in [name for name in sys.modules if name.partition(".")[0] == "snippets"]:
        del sys.modules[name]
    try:
        _now["site"] = publishing.publish(
            ROOT,
            config.extra["credit"],
            publishing.Addresses(config.use_directory_urls),
            list(_in_order(config.nav or [])),
            _memo,
        )
    except publishing.Mistake as mistake:
        raise Abort(str(mistake)) from None


def _in_order(nav: Any) -> Iterator[str]:
    """Yield the navigation's pages in reading order."""
    if isinstance(nav, str):
        yield nav
    else:
        for item in nav.values() if isinstance(nav, dict) else nav:
            yield from _in_order(item)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated files, and send our own scripts and styles small; docs/ stays as it is."""
    for file in files:
        kind = {".js": "text/javascript", ".css": "text/css"}.get(Path(file.src_uri).suffix)
        if kind and file.src_dir == config.docs_dir:
            file.content_string = minify.string(kind, file.content_string)
    for url, content in _now["site"].files.items():
        files.append(File.generated(config, url, content=content))
    for source, name in _now["site"].sources.items():
        about = f"---\ntitle: {name}\nhide: [navigation, toc]\nsearch: {{exclude: true}}\n---\n"
        level = InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, source, content=about, inclusion=level))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Hand over the page as rendered; a page that is not ours stays as it is."""
    ours = _now["site"].pages.get(page.file.src_uri)
    return ours.markdown if ours else markdown


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put tables, figures and formulas in their places."""
    site, file = _now["site"], page.file.src_uri
    return site.content(file, content) if file in site.pages else content


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Correct the theme's page."""
    return _corrected(output)


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Correct the page that is shown when an address is wrong."""
    return _corrected(output_content)


def _corrected(page: str) -> str:
    """Name the search dialog, and keep the theme from asking the code's host for its stars."""
    page = page.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)
    return page.replace(' data-md-component="source"', "")
