/* Serve a work page without a network, with its draft, if it was open on this device before.

   The scope is /assignments/, so only work pages pass through. A page from the server is held until
   the page says whose it is (keep.js), and then stored in that person's cache. Caches of other
   people are deleted, here and on each page of the site (forget.js). A save that the server
   accepted is stored beside the page, since the stored page has an older draft. Without a network
   the page is served with that draft in data-kept of its form (queue/work.js).

   Served by annotate/queue/views/offline.py. It imports nothing, since browsers check only this one
   file for changes. */

const PAGES = "work:"; // followed by the person's key
const FILES = "static";
const MAX_PAGES = 20;
const MAX_FILES = 400;
const PAGE = /^(\/assignments\/\d+\/)(draft\/|submit\/)?$/;
const STATIC = "/static/";
const HAS_HASH = /\.[0-9a-f]{12}\.\w+$/;

/* Answers that are not stored yet, because their page has not said whose it is. */
const answers = new Map();
const drafts = new Map();

addEventListener("install", () => self.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

addEventListener("message", (event) => {
  if (event.data?.type === "keep") event.waitUntil(keep(event.data));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === "GET" && pathname.startsWith(STATIC)) return event.respondWith(file(request, pathname));
  const [, page, part] = PAGE.exec(pathname) ?? [];
  if (!page) return;
  if (request.mode === "navigate" && request.method === "GET" && !part) event.respondWith(open(request, page));
  // The last save of a page that is being left can outlive this worker, so it is not intercepted.
  const isSave = request.method === "POST" && part === "draft/" && !request.keepalive;
  if (request.mode !== "navigate" && isSave) event.respondWith(save(event, page));
  if (request.mode !== "navigate" && request.method === "POST" && part === "submit/") event.respondWith(submit(request, page));
});

async function open(request, page) {
  let answer;
  try {
    answer = await fetch(request);
  } catch (error) {
    const storedPage = await keptPage(page);
    if (storedPage) return storedPage;
    throw error;
  }
  answers.clear();
  if (answer.status === 200) answers.set(page, answer.clone());
  // It redirects to the sign-in page, or belongs to somebody else now.
  else if (answer.type === "opaqueredirect" || answer.status === 403 || answer.status === 404) await forget(page);
  return answer;
}

async function save(event, page) {
  const sent = event.request.clone();
  const answer = await fetch(event.request);
  if (answer.status === 200) event.waitUntil(keepDraft(page, sent, answer.clone()));
  return answer;
}

async function keepDraft(page, sent, answer) {
  const [{ content }, { version, saved_at: savedAt }] = await Promise.all([sent.json(), answer.json()]);
  const draft = JSON.stringify({ version, content, savedAt });
  drafts.set(page, draft);
  const name = await nameOfCacheWith(page);
  if (name) await (await caches.open(name)).put(placeOfDraft(page), new Response(draft));
}

async function submit(request, page) {
  const answer = await fetch(request);
  if (answer.status === 200) await forget(page);
  return answer;
}

/** Return a static file. A file with a hash in its name never changes; others come from the network
    first. */
async function file(request, pathname) {
  const storedFile = HAS_HASH.test(pathname) && (await caches.match(request.url, { cacheName: FILES }));
  if (storedFile) return storedFile;
  try {
    const answer = await fetch(request);
    if (answer.status === 200) await (await caches.open(FILES)).put(request.url, answer.clone());
    return answer;
  } catch (error) {
    const earlier = await caches.match(request.url, { cacheName: FILES });
    if (earlier) return earlier;
    throw error;
  }
}

/** Store the page that `user` has open, with the static files that it loaded. */
async function keep({ user, page, files }) {
  const own = PAGES + user;
  for (const name of await caches.keys()) if (name.startsWith(PAGES) && name !== own) await caches.delete(name);
  const cache = await caches.open(own);
  // The very first page was loaded before the service worker ran.
  const answer = answers.get(page) ?? (await fetch(page, { headers: { Accept: "text/html" } }));
  answers.delete(page);
  if (answer.status === 200 && !answer.redirected) {
    await cache.delete(page); // so that it becomes the newest
    await cache.put(page, answer);
  }
  if (drafts.has(page)) await cache.put(placeOfDraft(page), new Response(drafts.get(page)));
  await keepFiles(files);
  await prune(cache, MAX_PAGES, (url) => PAGE.test(url.pathname));
}

async function keepFiles(files) {
  const cache = await caches.open(FILES);
  for (const url of files) if (!(await cache.match(url))) await cache.add(url);
  await prune(cache, MAX_FILES, () => true);
}

/** Delete the oldest counted entries, with the draft of a page, until at most `most` remain. */
async function prune(cache, most, counts) {
  const urls = (await cache.keys()).map(({ url }) => new URL(url)).filter(counts);
  for (const url of urls.slice(0, Math.max(0, urls.length - most))) {
    await cache.delete(url.href);
    await cache.delete(placeOfDraft(url.pathname));
  }
}

async function keptPage(page) {
  const name = await nameOfCacheWith(page);
  if (!name) return null;
  const cache = await caches.open(name);
  const answer = await cache.match(page, { ignoreVary: true });
  const draft = await cache.match(placeOfDraft(page));
  const draftText = draft ? await draft.text() : "{}";
  const html = (await answer.text()).replace('id="work-form"', (text) => `${text} data-kept="${escaped(draftText)}"`);
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(html, { headers });
}

async function nameOfCacheWith(page) {
  for (const name of await caches.keys()) {
    if (name.startsWith(PAGES) && (await caches.match(page, { cacheName: name, ignoreVary: true }))) return name;
  }
  return "";
}

async function forget(page) {
  answers.delete(page);
  drafts.delete(page);
  for (const name of await caches.keys()) {
    if (!name.startsWith(PAGES)) continue;
    const cache = await caches.open(name);
    await cache.delete(page, { ignoreVary: true });
    await cache.delete(placeOfDraft(page));
  }
}

function placeOfDraft(page) {
  return `${page}kept-draft`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
