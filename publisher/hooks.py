"""The thin hook between MkDocs and the publisher; all the work is in `publisher.site`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, Environment
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.utils.templates import TemplateContext
from watchdog.observers.polling import PollingObserver

ROOT = Path(__file__).resolve().parent.parent


def _add_project_to_path() -> None:
    """Let imports find the project: MkDocs loads this file by its path, then resets sys.path."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))


_add_project_to_path()
from publisher import site as publishing  # noqa: E402
from publisher.collect import remembered  # noqa: E402
from publisher.errors import Mistake  # noqa: E402
from publisher.features.glossary_links import GlossaryExtension, Links  # noqa: E402
from publisher.html.small import is_ours_to_shrink, small  # noqa: E402
from publisher.project import Addresses  # noqa: E402

# One thread adds in one order; and a compiled file written under snippets/ would wake the watcher.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.dont_write_bytecode = True

UNCHANGED = "unchanged.html"  # the template of a page that is kept from the last build


@dataclass
class Kept:
    """A page of the last build: what it was made from, and what was made of it."""

    mark: object
    content: str = ""
    toc: Any = None
    anchors: set[str] | None = None
    links: dict[str, dict[str, str]] = field(default_factory=dict)
    entries: list[dict[str, Any]] = field(default_factory=list)
    output: str = ""


# These outlive a rebuild under `mkdocs serve`: MkDocs loads this file once.
_memo: dict[Any, Any] = {}
_pages: dict[str, Kept] = {}
_environment: dict[str, Environment] = {}
_now: dict[str, publishing.Site] = {}
_linking: dict[str, Links | None] = {"page": None}  # of the page that MkDocs is at


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Say what the site is called when it is cited."""
    _add_project_to_path()
    # No date reaches the site: two builds of one commit are the same bytes.
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    config.markdown_extensions.append(GlossaryExtension(lambda: _linking["page"]))
    # Under `serve` site_url is the local server's address.
    address = str(config.extra.get("address") or config.site_url or "/")
    try:
        config.extra["credit"] = publishing.credit(ROOT, address)
        config.extra["licence"] = Addresses(config.use_directory_urls).page("LICENSE.md")
    except Mistake as mistake:
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
            Addresses(config.use_directory_urls),
            list(_in_order(config.nav or [])),
            _memo,
        )
    except Mistake as mistake:
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
        if file.src_dir == config.docs_dir and is_ours_to_shrink(file.src_uri):
            file.content_string = _small(f"docs/{file.src_uri}", file.content_string)
    for url, content in _now["site"].files.items():
        files.append(File.generated(config, url, content=content))
    return files


def _small(name: str, text: str) -> str:
    try:
        made: str = remembered(_memo, ("small", name), text, lambda: small(name, text))
    except Mistake as mistake:
        raise Abort(str(mistake)) from None
    return made


def on_serve(
    server: LiveReloadServer, config: MkDocsConfig, builder: Callable[..., None]
) -> LiveReloadServer:
    """Look for saved files five times a second; MkDocs would look twice."""
    server.unwatch(config.docs_dir)
    server.unwatch(config.config_file_path)
    server.observer = PollingObserver(timeout=0.2)
    server.watch(config.docs_dir)
    server.watch(config.config_file_path)
    return server


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Hand over the page as rendered; nothing where the last build's page is still right."""
    site, file = _now["site"], page.file.src_uri
    _linking["page"] = links = site.links.get(file)
    mark = site.frame, markdown, site.pages[file], site.share(file), site.late(file), links
    if file in _pages and _pages[file].mark == mark and _pages[file].output:
        # The search's plugin reads each page again; what it found last time is kept below.
        page.meta.update(template=UNCHANGED, search={"exclude": True})
        return ""
    _pages[file] = Kept(mark)
    return site.pages[file].markdown


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put tables, figures and formulas in their places, or keep all of it."""
    file = page.file.src_uri
    kept = _pages[file]
    if page.meta.get("template") == UNCHANGED:
        page.toc, page.present_anchor_ids = kept.toc, kept.anchors
        # MkDocs checks these links against the other pages as they are now.
        links = {files.get_file_from_path(to): anchors for to, anchors in kept.links.items()}
        page.links_to_anchors = {to: anchors for to, anchors in links.items() if to}
    else:
        kept.content = _now["site"].content(file, content)
        # MkDocs knows the anchors of the Markdown; those of our blocks can be linked to as well.
        ids = re.findall(r'\sid="([^"]+)"', kept.content)
        page.present_anchor_ids = (page.present_anchor_ids or set()) | set(ids)
        kept.toc, kept.anchors = page.toc, page.present_anchor_ids
        kept.links = {to.src_uri: anchors for to, anchors in (page.links_to_anchors or {}).items()}
    return kept.content


def on_page_context(
    context: TemplateContext, page: Page, config: MkDocsConfig, nav: Navigation
) -> TemplateContext:
    """Keep what the search's plugin, which comes before this, has found on the page."""
    search: Any = config.plugins.get("material/search")
    found = search.search_index.entries if search else []
    kept = _pages[page.file.src_uri]
    if page.meta.get("template") == UNCHANGED:
        found.extend(kept.entries)
    else:
        kept.entries = [entry for entry in found if entry["location"].split("#")[0] == page.url]
    return context


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:
    """Keep the theme's compiled templates, which notice their own changes; add the empty one."""
    if "env" not in _environment:
        _environment["env"] = env
        assert env.loader  # the theme's
        env.loader = ChoiceLoader([DictLoader({UNCHANGED: "unchanged"}), env.loader])
    env = _environment["env"]
    return env


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Correct the theme's page, or keep it."""
    kept = _pages[page.file.src_uri]
    if page.meta.get("template") != UNCHANGED:
        kept.output = _corrected(output)
    return kept.output


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Correct the page that is shown when an address is wrong."""
    return _corrected(output_content)


def _corrected(page: str) -> str:
    """Name the search dialog, and keep the theme from asking the code's host for its stars."""
    page = page.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)
    return page.replace(' data-md-component="source"', "")
