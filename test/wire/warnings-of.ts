/** Returns the texts of the Warning headers, in order. */
export function warningsOf(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  const joined = [headers.warning ?? []].flat().join(', ');
  return Array.from(joined.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g), ([, text]) => text!.replaceAll(/\\(.)/g, '$1'));
}
