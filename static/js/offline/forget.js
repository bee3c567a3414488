/* Delete cached work pages of everybody but the signed-in person; on pages for visitors, such as
   the one after signing out, delete all (offline/service_worker.js). */

import { find } from "../ui/dom.js";

const { content: person } = find('meta[name="person"]', HTMLMetaElement);

// Without https, browsers have no caches.
if (window.caches) forgetOthers().catch(() => {});

async function forgetOthers() {
  for (const name of await caches.keys()) {
    if (name.startsWith("work:") && name !== `work:${person}`) await caches.delete(name);
  }
}
