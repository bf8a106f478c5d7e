import { X509Certificate } from 'node:crypto';

type Data = Readonly<Record<string, string>>;

const bundles = ['client-ca-file', 'requestheader-client-ca-file'];
const allowedNames = 'requestheader-allowed-names';
const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * The combined configuration of several servers: all CAs that have not expired, and all names and headers. Published
 * entries come first, so that servers do not overwrite each other repeatedly.
 */
export function combinedTrust(published: Data, own: Data): Data {
  const keys = new Set([...Object.keys(published), ...Object.keys(own)]);
  return Object.fromEntries(
    [...keys].map((key) => {
      const [left, right] = [published[key], own[key]];
      if (bundles.includes(key)) return [key, combinedBundle(`${left ?? ''}\n${right ?? ''}`)];
      if (left === undefined || right === undefined) return [key, left ?? right!];
      return [key, combinedList(key, listOf(left), listOf(right))];
    }),
  );
}

function combinedBundle(text: string): string {
  const blocks = new Set(text.match(pemBlock)?.filter(isUsable));
  return `${[...blocks].join('\n')}\n`;
}

function isUsable(block: string): boolean {
  try {
    return Date.parse(new X509Certificate(block).validTo) > Date.now();
  } catch {
    return false;
  }
}

function combinedList(key: string, left: readonly string[], right: readonly string[]): string {
  // No names mean that any name is accepted.
  const acceptsAny = key === allowedNames && (left.length === 0 || right.length === 0);
  return JSON.stringify(acceptsAny ? [] : [...new Set([...left, ...right])]);
}

function listOf(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}
