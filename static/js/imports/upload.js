/* The upload page: choose files (and a manifest), enter their facts, send them, show the results. A
   file whose bytes are all sent moves from the list to the rows below. */

import { find } from "../ui/dom.js";
import { Unreachable, post } from "../ui/requests.js";
import { forget, recall, remember } from "./memory.js";
import { Row, reasonToRefuse } from "./row.js";
import { Stopped, send } from "./transfer.js";

const page = document.getElementById("upload");
const picker = find("#picker", HTMLInputElement);
const list = document.getElementById("files");
const facts = find("#facts", HTMLFormElement);
const start = find("#start", HTMLButtonElement);
const status = document.getElementById("upload-status");
const manifestBox = document.getElementById("manifest");
const limits = { mostBytes: Number(page.dataset.mostBytes), extensions: page.dataset.extensions.split(" ") };
const project = page.dataset.project;

const rows = [];
let batch = null;
let manifest = null; // {name, text, problems}
let running = false;

/* Choosing */

function add(files) {
  for (const file of files) {
    if (file.name.toLowerCase().endsWith(".csv")) readManifest(file);
    else if (!rows.some((row) => sameFile(row.file, file))) addRow(file);
  }
  if (manifest) checkManifest();
  refresh();
}

function sameFile(a, b) {
  return a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;
}

function addRow(file) {
  const row = new Row(document.getElementById("file-row"), file);
  const reason = reasonToRefuse(file, limits);
  row.offer(Object.fromEntries(new FormData(facts)));
  if (reason) row.set("refused", "Refused", reason);
  else row.set("chosen", recall(project, file) ? "Continues where it stopped" : "Ready");
  row.part("remove").addEventListener("click", () => remove(row));
  row.part("again").addEventListener("click", () => {
    row.set("chosen", "Ready");
    run();
  });
  rows.push(row);
  list.append(row.element);
}

async function remove(row) {
  row.abort?.abort();
  if (row.item) {
    forget(project, row.file);
    try {
      await post(row.item.cancel, {});
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      // The upload stays on the import's page and can be canceled there.
    }
    showRows(row.item.rows);
  }
  drop(row);
  if (manifest) checkManifest();
  announce(`${row.file.name} was removed from the list.`);
  picker.focus();
}

function drop(row) {
  row.element.remove();
  rows.splice(rows.indexOf(row), 1);
  refresh();
}

function refresh() {
  const ready = rows.filter((row) => row.state === "chosen").length;
  start.disabled = running || !ready || Boolean(manifest?.problems.length);
  start.textContent = ready ? `Upload ${ready} ${ready === 1 ? "file" : "files"}` : "Upload";
  document.getElementById("chosen").hidden = !rows.length && !manifest;
}

/* The manifest */

async function readManifest(file) {
  manifest = { name: file.name, text: "", problems: [] };
  try {
    manifest.text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    await checkManifest();
  } catch {
    showManifest(["It isn't UTF-8 text. Save it as CSV in UTF-8."]);
  }
}

async function checkManifest() {
  const files = rows.filter((row) => row.state === "chosen").map((row) => row.file.name);
  if (!manifest.text || !files.length) return showManifest(manifest.problems);
  let reply;
  try {
    reply = await post(page.dataset.manifestUrl, { text: manifest.text, files });
  } catch {
    return showManifest(["The manifest could not be checked: no connection. Choose it again."]);
  }
  if (reply.status !== 200) return showManifest([reply.data.message]);
  if (reply.data.problems.length) return showManifest(reply.data.problems);
  for (const row of rows) {
    const listedFacts = reply.data.facts[row.file.name];
    if (listedFacts) row.offer({ ...listedFacts, license: listedFacts.license || facts.elements.license.value });
  }
  showManifest([]);
}

function showManifest(problems) {
  if (!manifest) return;
  manifest.problems = problems;
  const files = rows.filter((row) => row.state === "chosen");
  manifestBox.hidden = false;
  manifestBox.classList.toggle("danger", problems.length > 0);
  manifestBox.classList.toggle("ok", !problems.length);
  document.getElementById("manifest-name").textContent = problems.length
    ? `${manifest.name} has mistakes. Fix them and choose it again; nothing is uploaded until then.`
    : files.length
      ? `${manifest.name} says what each file is.`
      : `${manifest.name} was read. Choose the videos that it lists.`;
  const icon = manifestBox.querySelector("use");
  icon.setAttribute("href", icon.getAttribute("href").replace(/#.*/, problems.length ? "#danger" : "#check"));
  const faults = document.getElementById("manifest-problems");
  faults.hidden = !problems.length;
  faults.replaceChildren(...problems.map((problem) => Object.assign(document.createElement("li"), { textContent: problem })));
  refresh();
}

function leaveManifestOut() {
  manifest = null;
  manifestBox.hidden = true;
  refresh();
}

document.getElementById("manifest-remove").addEventListener("click", () => {
  leaveManifestOut();
  picker.focus();
});

/* Sending, one file after the other */

async function run() {
  if (running) return;
  running = true;
  announce("");
  refresh();
  for (const row of rows) if (row.state === "chosen") row.set("waiting", "Waiting for its turn");
  for (let row; (row = rows.find((each) => each.state === "waiting")); ) await upload(row);
  running = false;
  if (!rows.some((row) => row.state === "chosen")) leaveManifestOut();
  refresh();
}

async function upload(row) {
  row.abort = new AbortController();
  try {
    row.set("sending", "Starting");
    row.item = row.item ?? (await resume(row.file)) ?? (await announceFile(row));
    row.set("sending", "Uploading");
    showRows(row.item.rows);
    await send(row.file, row.item, {
      chunkBytes: Number(page.dataset.chunkBytes),
      signal: row.abort.signal,
      onOffset: (offset) => {
        row.item.offset = offset;
        row.showOffset(offset);
      },
      onWait: () => (row.part("state").textContent = "No connection; continues automatically"),
    });
    forget(project, row.file);
    drop(row);
    showRows(row.item.rows);
    announce(""); // its row below shows the rest
  } catch (error) {
    if (row.abort.signal.aborted) return; // removed from the list
    if (error instanceof Refused) row.set("refused", "Refused", error.message);
    else row.set("stopped", "Stopped", stoppedBecause(error));
    announce(`${row.file.name}: ${row.part("problem").textContent}`);
  }
}

class Refused extends Error {}

function stoppedBecause(error) {
  if (error instanceof Stopped) return error.message;
  if (error instanceof Unreachable) return "The server can't be reached. Try again when the connection is back.";
  throw error;
}

/* Return the unfinished item of this file if the server still wants its bytes. */
async function resume(file) {
  const url = recall(project, file);
  if (!url) return null;
  let reply;
  try {
    reply = await fetch(url, { headers: { Accept: "application/json" } });
  } catch (error) {
    throw new Unreachable(String(error));
  }
  const item = reply.ok ? await reply.json() : null;
  if (item?.state === "uploading" && item.size === file.size) return item;
  forget(project, file);
  return null;
}

async function announceFile(row) {
  batch = batch ?? (await created(post(page.dataset.startUrl, {})));
  const item = await created(post(batch.items, { name: row.file.name, size: row.file.size, ...row.facts }));
  if (item.state === "failed") throw new Refused(item.reason);
  remember(project, row.file, item.url);
  return item;
}

async function created(request) {
  const { status: code, data } = await request;
  if (code !== 201) throw new Stopped(data.message ?? "The server did not take the file. Reload the page.");
  return data;
}

/* Results */

function showRows(url) {
  const holder = document.getElementById("imports");
  let slot = holder.querySelector(`[data-rows="${url}"]`);
  if (!slot) {
    slot = document.createElement("div");
    slot.dataset.rows = url;
    holder.prepend(slot);
    document.getElementById("imports-title").hidden = false;
  }
  window.htmx.ajax("GET", `${url}?uploaded=1`, { target: slot, swap: "innerHTML" });
}

function announce(text) {
  status.textContent = text;
}

/* The page */

picker.addEventListener("change", () => {
  add([...picker.files]);
  picker.value = ""; // so that the same file can be chosen again
});
for (const type of /** @type {const} */ (["dragenter", "dragover"])) {
  page.addEventListener(type, (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    page.dataset.over = "";
  });
}
page.addEventListener("dragleave", (event) => {
  if (!page.contains(/** @type {Node} */ (event.relatedTarget))) delete page.dataset.over;
});
page.addEventListener("drop", (event) => {
  event.preventDefault();
  delete page.dataset.over;
  add([...event.dataTransfer.files]);
});
facts.addEventListener("input", () => {
  for (const row of rows) if (row.state === "chosen") row.offer(Object.fromEntries(new FormData(facts)));
});
facts.addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
start.addEventListener("click", run);
addEventListener("beforeunload", (event) => {
  if (running) event.preventDefault();
});
refresh();
