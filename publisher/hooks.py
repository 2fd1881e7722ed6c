"""The thin hook between MkDocs and the publisher; all the work is in `build`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import minify
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

# One thread adds in one order; and a compiled file written under snippets/ would wake the watcher.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.dont_write_bytecode = True

# Outlives a rebuild under `mkdocs serve`: MkDocs loads this file once.
_cache: dict[str, Any] = {}
_now: dict[str, Any] = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Let imports find the project, and start from its files as they are now."""
    root = Path(config.config_file_path).resolve().parent
    # No date reaches the site: two builds of one commit are the same bytes.
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    _forget()
    from publisher import site

    try:
        _now.update(build=site, root=root, credit=site.credit(root, _address(config)))
    except site.Mistake as mistake:
        raise Abort(str(mistake)) from None
    config.extra["credit"] = _now["credit"]
    return config


def _address(config: MkDocsConfig) -> str:
    """Return the address that citations give; under `serve` site_url is another."""
    return str(config.extra.get("address") or config.site_url or "/")


def _forget() -> None:
    """Let the next import read the snippets again: under `serve` this process outlives them."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "snippets"]:
        del sys.modules[name]


def on_pre_build(config: MkDocsConfig) -> None:
    """Compute and render before MkDocs empties the old site, so that a mistake leaves it whole."""
    build = _now["build"]
    try:
        order = _in_order(config.nav or [])
        _now["site"] = build.prepare(_now["root"], _now["credit"], _cache, order)
    except build.Mistake as mistake:
        raise Abort(str(mistake)) from None


def _in_order(nav: Any) -> list[str]:
    """Return the navigation's pages in reading order."""
    if isinstance(nav, str):
        return [nav]
    items = nav.values() if isinstance(nav, dict) else nav
    return [page for item in items for page in _in_order(item)]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated files, and send our own scripts and styles small; docs/ stays as it is."""
    for file in files:
        kind = {".js": "text/javascript", ".css": "text/css"}.get(Path(file.src_uri).suffix)
        if kind and file.src_dir == config.docs_dir:
            file.content_string = minify.string(kind, file.content_string)
    for url, content in _now["site"].files.items():
        files.append(File.generated(config, url, content=content))
    for source, file in _now["site"].sources.items():
        about = f"---\ntitle: {file}\nhide: [navigation, toc]\nsearch: {{exclude: true}}\n---\n"
        level = InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, source, content=about, inclusion=level))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Hand over the page as rendered; a notebook is not ours and stays as it is."""
    ours = _now["site"].pages.get(page.file.src_uri)
    return str(ours.markdown) if ours else markdown


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put tables, figures and formulas in their places."""
    from publisher.render.page import finish

    site = _now["site"]
    if page.file.src_uri not in site.pages:
        return content
    script = _now["build"].numbers_script(site, page.file.url.removeprefix("./"))
    return finish(content, site.pages[page.file.src_uri]) + str(script)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Mend the theme's page."""
    return _mend(output)


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Mend the page that is shown when an address is wrong."""
    return _mend(output_content)


def _mend(page: str) -> str:
    """Name the search dialog, and keep the theme from asking the code's host for its stars."""
    page = page.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)
    return page.replace(' data-md-component="source"', "")
