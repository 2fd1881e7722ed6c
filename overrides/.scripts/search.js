// The theme hands the search index to its worker as soon as a page opens, and the index is the largest
// file of a visit. So the form loses the name by which the theme knows that there is a search, and in the
// worker's place stands one that waits for the reader. The theme reads its settings after this script.

/**
 * Runs in the worker: wait until the reader turns to the search, then become the theme's worker.
 * @param {string} worker
 * @param {string} index
 */
function waitForReader(worker, index) {
  const page = new BroadcastChannel(location.href);
  page.onmessage = async () => {
    page.close();
    const { config, docs } = await (await fetch(index)).json();
    /** @type {any} */ (self).importScripts(worker); // which listens for what the theme would have sent
    dispatchEvent(new MessageEvent("message", { data: { type: 0, data: { config, docs, options: {} } } }));
  };
  page.postMessage("started");
}

function searchLater() {
  const field = /** @type {HTMLInputElement} */ (document.querySelector(".md-search__input"));
  const settings = /** @type {HTMLElement} */ (document.getElementById("__config"));
  const config = JSON.parse(settings.textContent);
  const worker = new URL(config.search, location.href).href;
  const index = new URL("search/search_index.json", new URL(config.base, location.href)).href;
  const program = `(${waitForReader})(${JSON.stringify(worker)}, ${JSON.stringify(index)})`;
  config.search = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
  settings.textContent = JSON.stringify(config);
  field.form?.removeAttribute("name");
  // The worker's own address is a name for the channel that no other page has.
  const channel = new BroadcastChannel(config.search);
  field.addEventListener("focus", () => channel.postMessage("search"));
  channel.onmessage = () => {
    if (document.activeElement === field) channel.postMessage("search"); // the reader was faster
  };
}

searchLater();
