/* Search a guideline: hide paragraphs and examples that lack one of the typed words, and mark the
   words. A heading stays above its matches; a heading that matches keeps its section. */

import { find, findAll } from "../ui/dom.js";

const HEADING = "h1, h2, h3, h4, h5, h6";
const PARAGRAPH = `${HEADING}, p, li, pre`;

/**
 * @param {HTMLElement} guideline
 * @param {HTMLInputElement} field
 */
export function searchGuideline(guideline, field) {
  const prose = find(".prose", HTMLElement, guideline);
  const examples = findAll("[data-example]", HTMLElement, guideline);
  const matches = find("#guideline-matches", HTMLElement, guideline);

  const search = () => {
    const words = field.value.trim().split(/\s+/).filter(Boolean).map(patternOf);
    unmark(guideline);
    const parts = [...keptParagraphs(prose, words), ...keptExamples(examples, words)];
    if (words.length > 0) for (const part of parts) mark(part, words);
    matches.textContent = words.length === 0 ? "" : counted(parts.length);
  };
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !field.value) return;
    event.preventDefault();
    field.value = "";
    search();
  });
}

function counted(number) {
  if (number === 0) return "Nothing matches. Use other words, or fewer.";
  return `${number} match${number === 1 ? "" : "es"}`;
}

function patternOf(word) {
  return new RegExp(word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

/** Return whether the element's text has all the words. */
function has(element, words) {
  return words.every((word) => element.textContent.search(word) !== -1);
}

/** Hide the paragraphs that don't match; return those that do. */
function keptParagraphs(prose, words) {
  const paragraphs = findAll(PARAGRAPH, HTMLElement, prose).filter((element) => !element.querySelector(PARAGRAPH));
  const matching = paragraphs.filter((element) => has(element, words));
  const visible = new Set(matching);
  /** @type {HTMLElement[]} the headings that a paragraph is under, from the highest */
  let above = [];
  for (const paragraph of paragraphs) {
    const isHeading = paragraph.matches(HEADING);
    if (isHeading) above = above.filter(({ localName }) => localName < paragraph.localName);
    if (above.some((heading) => matching.includes(heading))) visible.add(paragraph);
    if (visible.has(paragraph)) for (const heading of above) visible.add(heading);
    if (isHeading) above.push(paragraph);
  }
  for (const element of prose.querySelectorAll("*")) {
    if (element.matches(`${PARAGRAPH}, ul, ol, blockquote`)) element.hidden = !visible.has(element) && !holds(element, visible);
  }
  return matching;
}

function holds(element, kept) {
  return [...element.querySelectorAll(PARAGRAPH)].some((inner) => kept.has(inner));
}

function keptExamples(examples, words) {
  const matching = examples.filter((example) => has(example, words));
  for (const example of examples) example.hidden = !matching.includes(example);
  const section = examples[0]?.parentElement;
  if (section) section.hidden = matching.length === 0;
  return matching;
}

function mark(element, words) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  for (const text of texts) markText(text, words);
}

/** Wrap each occurrence of a word in <mark>, from last to first, so that earlier places stay valid. */
function markText(text, words) {
  const spans = words.flatMap((word) => [...text.data.matchAll(word)].map(({ index, 0: { length } }) => [index, index + length]));
  let previousStart = Infinity;
  for (const [start, end] of spans.sort((a, b) => b[0] - a[0] || b[1] - a[1])) {
    if (end > previousStart) continue; // words that overlap
    previousStart = start;
    text.splitText(end);
    const marked = document.createElement("mark");
    marked.className = "match";
    marked.append(text.splitText(start));
    text.after(marked);
  }
}

function unmark(element) {
  for (const marked of element.querySelectorAll("mark.match")) {
    const parent = marked.parentNode;
    marked.replaceWith(...marked.childNodes);
    parent.normalize();
  }
}
