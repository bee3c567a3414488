/* Let the service worker store this work page, so that it also opens without a network. */

import { find } from "../ui/dom.js";

const form = find("#work-form", HTMLFormElement);
const { user, offlineUrl, kept } = form.dataset;

if (navigator.serviceWorker && !kept) keepPage().catch(() => {}); // private windows have no service worker

async function keepPage() {
  await navigator.serviceWorker.register(offlineUrl);
  const { active } = await navigator.serviceWorker.ready;
  if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve));
  const resources = performance.getEntriesByType("resource").map(({ name }) => name);
  const files = resources.filter((url) => url.startsWith(`${location.origin}/static/`));
  active.postMessage({ type: "keep", user, page: location.pathname, files: [...new Set(files)] });
}
