import { redacted } from './redacted.ts';

/** Query parameters that contain credentials. */
const secretNames = new Set(['token', 'access_token', 'id_token', 'refresh_token', 'client_secret', 'password']);

/** Replaces the values of secret query parameters and adds them to `found`. */
export function redactUri(path: string, query: string, found: Set<string>): string {
  if (query === '') return path;
  // Fast path: most queries contain none of these words.
  if (!/token|secret|password|%/i.test(query)) return `${path}?${query}`;
  return `${path}?${query.replace(/[^&;]+/g, (parameter) => redactParameter(parameter, found))}`;
}

function redactParameter(parameter: string, found: Set<string>): string {
  const equals = parameter.indexOf('=');
  if (equals < 0 || !secretNames.has(decoded(parameter.slice(0, equals)).toLowerCase())) return parameter;
  const value = parameter.slice(equals + 1);
  found.add(value);
  found.add(decoded(value));
  return `${parameter.slice(0, equals)}=${redacted}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}
