/* Below a table that is wider than a phone, name the columns to scroll to. */

import { findAll } from "./dom.js";

const NARROW = matchMedia("(max-width: 48rem)");
const MAX_NAMED = 4;
const observer = new ResizeObserver((entries) => entries.forEach(({ target }) => say(target)));

function headsOutOfSight(region) {
  const heads = findAll("thead tr:last-child > *", HTMLTableCellElement, region);
  const hidden = heads.filter((head) => head.offsetLeft + head.offsetWidth > region.clientWidth + 8);
  return hidden.map((head) => head.innerText.split("\n")[0].trim()).filter(Boolean);
}

function words(names) {
  const named = names.slice(0, MAX_NAMED);
  const more = names.length - named.length;
  if (more) named.push(`${more} more`);
  const last = named.pop();
  return `Scroll the table sideways for ${named.length ? `${named.join(", ")} and ${last}` : last}.`;
}

function say(region) {
  const names = NARROW.matches ? headsOutOfSight(region) : [];
  const next = region.nextElementSibling;
  const hint = next?.matches("[data-sideways]") ? next : null; // a swap may have left it
  if (!names.length) return hint?.remove();
  const line = hint ?? document.createElement("p");
  line.toggleAttribute("data-sideways", true);
  line.className = "small muted";
  line.ariaHidden = "true"; // screen readers read every column
  line.textContent = words(names);
  if (!hint) region.after(line);
}

function watch(root) {
  const regions = findAll(".table-scroll:has(> .table)", HTMLElement, root);
  if (root.matches?.(".table-scroll:has(> .table)")) regions.push(root);
  for (const region of regions) {
    say(region); // at once, so that a swap doesn't move what is below
    observer.observe(region);
  }
}

watch(document);
document.addEventListener("htmx:load", ({ target }) => watch(target));
