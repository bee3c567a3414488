/* One chosen file on the upload page: its facts, its progress, and why it stopped. */

const FACTS = ["category", "subcategory", "license", "source_url"];
const MAX_NAME_BYTES_LENGTH = 200;
const MIB = 1024 * 1024;
let rows = 0;

export class Row {
  state = "chosen"; // chosen, refused, waiting, sending, stopped
  item = null;
  abort = null;

  constructor(template, file) {
    this.file = file;
    this.element = template.content.firstElementChild.cloneNode(true);
    const id = `file-${++rows}`;
    for (const label of this.element.querySelectorAll("label[data-for]")) {
      label.htmlFor = `${id}-${label.dataset.for}`;
      this.input(label.dataset.for).id = label.htmlFor;
    }
    this.edited = new Set();
    for (const fact of FACTS) {
      this.input(fact).addEventListener("input", () => {
        this.edited.add(fact);
        this.showFacts();
      });
    }
    this.part("name").textContent = file.name;
    this.part("size").textContent = readableSize(file.size);
    this.element.setAttribute("aria-label", file.name);
    this.part("progress").setAttribute("aria-label", file.name);
    for (const button of this.element.querySelectorAll("button")) button.append(hidden(` ${file.name}`));
  }

  part(name) {
    return this.element.querySelector(`[data-part="${name}"]`);
  }

  input(fact) {
    return this.element.querySelector(`[name="${fact}"]`);
  }

  get facts() {
    return Object.fromEntries(FACTS.map((fact) => [fact, this.input(fact).value]));
  }

  /* Fill in the facts for all files, except those edited for this file. */
  offer(facts) {
    for (const fact of FACTS) if (!this.edited.has(fact)) this.input(fact).value = facts[fact] ?? "";
    this.showFacts();
  }

  showFacts() {
    const { category, subcategory, license } = this.facts;
    const place = [category, subcategory].filter(Boolean).join(" / ") || "No category";
    this.part("facts").textContent = [place, license || "no license"].join(" · ");
  }

  set(state, text, problem = "") {
    this.state = state;
    this.part("state").textContent = text;
    this.part("state").className = `badge${{ refused: " danger", stopped: " warn", sending: " accent" }[state] ?? ""}`;
    this.part("problem").textContent = problem;
    this.part("problem").hidden = !problem;
    this.part("progress").hidden = state !== "sending";
    this.part("again").hidden = state !== "stopped";
    for (const fact of FACTS) this.input(fact).disabled = !["chosen", "refused", "stopped"].includes(state) || Boolean(this.item);
  }

  showOffset(offset) {
    const percent = Math.floor((100 * offset) / this.file.size);
    this.part("progress").value = percent;
    this.part("state").textContent = `Uploading ${percent} %`;
  }
}

/* Return why this file can't be imported, as far as a browser can tell; "" if it can be tried. */
export function reasonToRefuse(file, { mostBytes, extensions }) {
  const extension = file.name.slice(file.name.lastIndexOf(".")).toLowerCase();
  if (!file.name.includes(".") || !extensions.includes(extension)) {
    return `Its name has no suffix of a video. Accepted: ${extensions.join(" ")}.`;
  }
  if (new TextEncoder().encode(file.name.normalize("NFC")).length > MAX_NAME_BYTES_LENGTH) {
    return `Its name is too long. Shorten it to ${MAX_NAME_BYTES_LENGTH} letters.`;
  }
  if (!file.size) return "The file is empty. Copy or download it again.";
  if (file.size > mostBytes) {
    return `The file is ${readableSize(file.size)}; the limit is ${readableSize(mostBytes)}. Export it smaller or cut it into parts.`;
  }
  return "";
}

function readableSize(bytes) {
  if (bytes < MIB) return `${Math.max(bytes ? 1 : 0, Math.round(bytes / 1024)).toLocaleString("en")} KB`;
  return `${(bytes / MIB).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;
}

function hidden(text) {
  const span = document.createElement("span");
  span.className = "visually-hidden";
  span.textContent = text;
  return span;
}
