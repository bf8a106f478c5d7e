/** Returns the values of one header as sent, one entry per occurrence. The name is in lower case. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]!;
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1]!);
  }
  return values;
}

/**
 * Returns the values of all headers with a prefix, keyed by the rest of the name in lower case. The key is
 * percent-decoded, because a header name cannot contain all characters of a key; a malformed encoding is left alone.
 * The prefix is in lower case. Returns undefined when no header matches.
 */
export function valuesByPrefix(rawHeaders: readonly string[], prefix: string): Record<string, string[]> | undefined {
  let found: Record<string, string[]> | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]!;
    if (sent.length < prefix.length || sent.slice(0, prefix.length).toLowerCase() !== prefix) continue;
    const key = percentDecode(sent.slice(prefix.length).toLowerCase());
    found ??= Object.create(null) as Record<string, string[]>;
    found[key] ??= [];
    found[key].push(rawHeaders[at + 1]!);
  }
  return found;
}

function percentDecode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}
