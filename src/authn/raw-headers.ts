/** The values of one header, each as it was sent. The name is in lower case. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]!;
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1]!);
  }
  return values;
}

/**
 * The values of all headers whose names begin with the prefix, by the rest of the name in lower case and percent-decoded: so
 * can a name have characters that are forbidden in headers. What is not well encoded is taken as it is. The prefix is in
 * lower case. Undefined when there is none.
 */
export function valuesByPrefix(rawHeaders: readonly string[], prefix: string): Record<string, string[]> | undefined {
  let found: Record<string, string[]> | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at]!;
    if (sent.length < prefix.length || sent.slice(0, prefix.length).toLowerCase() !== prefix) continue;
    const key = decoded(sent.slice(prefix.length).toLowerCase());
    found ??= Object.create(null) as Record<string, string[]>;
    found[key] ??= [];
    found[key].push(rawHeaders[at + 1]!);
  }
  return found;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}
