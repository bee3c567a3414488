/* List the works whose text this device keeps because the server may lack it
   (annotate/queue/unsent.html). Opening one sends its text. */

import { keptWorks } from "../drafts/store.js";
import { copyOf, find } from "../ui/dom.js";
import { momentOf } from "../ui/moments.js";

const panel = find("#unsent", HTMLElement);
const list = find("ul", HTMLUListElement, panel);
const works = keptWorks(list.dataset.user).filter(({ assignment }) => assignment !== list.dataset.current);
const template = find("template", HTMLTemplateElement, panel);

list.replaceChildren(
  ...works.map(({ assignment, title, at }) => {
    const row = copyOf(template);
    const link = find("a", HTMLAnchorElement, row);
    link.href = `/assignments/${assignment}/`;
    link.textContent = title || `Work ${assignment}`;
    find("time", HTMLTimeElement, row).textContent = momentOf(at);
    return row;
  }),
);
panel.hidden = works.length === 0;
