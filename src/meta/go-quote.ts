const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};
/** This pattern is several times faster than a search for characters that need quoting. */
const isPlain = /^[ !#-[\]-~]*$/;
const isAscii = /^[\x00-\x7f]*$/;
/** The length of `\x00`. */
const maxEscape = 4;
/** A cache of quoted characters by character code. */
const quotedAscii: string[] = [];
const needsQuoting = /["\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Quotes a string as Go's `%q` does in Kubernetes messages: printable characters unchanged, all others escaped. */
export function goQuote(text: string): string {
  if (isPlain.test(text)) return `"${text}"`;
  return `"${isAscii.test(text) ? quoteAscii(text) : text.replace(needsQuoting, escapeCharacter)}"`;
}

/** Quotes a list of strings as Go's `%q` does: `["a" "b"]`. */
export function goQuoteList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`;
}

/** A separate path that is many times faster for a long text in which most characters are escaped. */
function quoteAscii(text: string): string {
  const bytes = Buffer.allocUnsafe(maxEscape * text.length);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    quotedAscii[code] ??= text[index]!.replace(needsQuoting, escapeCharacter);
    const quoted = quotedAscii[code];
    for (let at = 0; at < quoted.length; at++) bytes[length++] = quoted.charCodeAt(at);
  }
  return bytes.toString('latin1', 0, length);
}

function escapeCharacter(character: string): string {
  const short = escapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
