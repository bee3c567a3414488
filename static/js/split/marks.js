/* The layer behind a textarea that marks words in it. It has the same text with the same line
   breaks, but only its marks are visible. Places are UTF-16 ranges of the checked text and move
   with later edits; a word that is edited loses its mark until the next check. */

export class Marks {
  constructor(box) {
    this.box = box;
    this.layer = document.querySelector(`[data-mirror-of="${box.name}"]`);
    this.checked = box.value;
    this.marks = [];
    this.draw();
  }

  /** Set the marks, [{start, end, kind}], of the text `checked`. */
  set(checked, marks) {
    this.checked = checked;
    this.marks = marks;
    this.draw();
  }

  /** Return the current place of a range of the checked text; null if it was edited. */
  now({ start, end }) {
    const [old, text] = [this.checked, this.box.value];
    if (old === text) return { start, end };
    const most = Math.min(old.length, text.length);
    let same = 0;
    while (same < most && old[same] === text[same]) same += 1;
    let tail = 0;
    while (tail < most - same && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
    if (end <= same) return { start, end };
    const shift = text.length - old.length;
    return start >= old.length - tail ? { start: start + shift, end: end + shift } : null;
  }

  draw() {
    const text = this.box.value;
    const pieces = [];
    let at = 0;
    const currentMarks = this.marks.map((mark) => ({ ...this.now(mark), kind: mark.kind }));
    for (const { start, end, kind } of currentMarks.sort((a, b) => a.start - b.start)) {
      if (!(start >= at)) continue; // an edited word, or a second mark on one word
      pieces.push(text.slice(at, start), marked(text.slice(start, end), kind));
      at = end;
    }
    // In a textarea a final line break starts an empty line, elsewhere it doesn't.
    this.layer.replaceChildren(...pieces, `${text.slice(at)}\u200b`);
  }

  /** Select the range and scroll its line to the middle of the window. */
  show(start, end) {
    this.box.focus({ preventScroll: true });
    this.box.setSelectionRange(start, end);
    const anchor = document.createElement("span");
    this.rangeOf(start).insertNode(anchor);
    anchor.scrollIntoView({ block: "center" });
    anchor.remove();
    this.layer.normalize();
  }

  rangeOf(offset) {
    const walker = document.createTreeWalker(this.layer, NodeFilter.SHOW_TEXT);
    let remaining = offset;
    const length = () => /** @type {Text} */ (walker.currentNode).length;
    while (walker.nextNode() && remaining > length()) remaining -= length();
    const range = document.createRange();
    range.setStart(walker.currentNode, remaining);
    return range;
  }
}

function marked(text, kind) {
  const mark = document.createElement("mark");
  mark.className = kind;
  mark.textContent = text;
  return mark;
}
