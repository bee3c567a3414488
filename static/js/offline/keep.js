/* Has the service worker keep this work page, so that it opens without a network, too. */

import { find } from "../ui/dom.js";

const form = find("#work-form", HTMLFormElement);
const { user, offlineUrl, kept } = form.dataset;

if (navigator.serviceWorker && !kept) keepPage().catch(() => {}); // a private window has none

async function keepPage() {
  await navigator.serviceWorker.register(offlineUrl);
  const { active } = await navigator.serviceWorker.ready;
  if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve));
  const resources = performance.getEntriesByType("resource").map(({ name }) => name);
  const files = resources.filter((url) => url.startsWith(`${location.origin}/static/`));
  active.postMessage({ type: "keep", user, page: location.pathname, files: [...new Set(files)] });
}
