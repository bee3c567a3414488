// Count words by the rule of annotate/text/words.py, which explains it. The strings below are
// identical to those there, and a test compares them.

const EMOJI = String.raw`[0-9]\uFE0F?\u20E3|\u2139\uFE0F`;
const CJK = String.raw`[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}]`;
const INVISIBLE = String.raw`\p{Default_Ignorable_Code_Point}`;
const EXTEND = String.raw`[\p{M}${INVISIBLE}]*`;
const LETTER = String.raw`(?!${CJK}|${INVISIBLE}|${EMOJI})[\p{L}\p{N}]${EXTEND}`;
const JOINER = String.raw`['\u2019\u2010\u2011\-]${INVISIBLE}*|(?<=\p{Nd}${EXTEND})[.,]${INVISIBLE}*(?=\p{Nd})`;

export const WORD_PATTERN = String.raw`(?=${CJK})[\p{L}\p{N}]${EXTEND}|${LETTER}(?:(?:${JOINER})?${LETTER})*`;

const WORD = new RegExp(WORD_PATTERN, "gu");

export function countWords(text) {
  return text.match(WORD)?.length ?? 0;
}
