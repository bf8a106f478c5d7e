import { signal } from '@preact/signals';
import { type AdmissionStep, admissionSteps, explainHeader } from './admission-step.ts';
import { ApiError } from './api-error.ts';

export interface RequestOptions {
  readonly method?: string;
  readonly accept?: string;
  readonly contentType?: string;
  /** A string is sent unchanged, other values as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Sends the request as another user (impersonation), if the user may do so. */
  readonly as?: { readonly user: string; readonly groups: readonly string[] } | undefined;
}

const proofKey = 'keelson-console-proof';

/** Proves that a request comes from a page of this origin. The proof belongs to the session cookie. */
export const proof = {
  get: () => localStorage.getItem(proofKey) ?? 'none',
  has: () => localStorage.getItem(proofKey) !== null,
  set: (value: string) => localStorage.setItem(proofKey, value),
  clear: () => localStorage.removeItem(proofKey),
};

/** The number of responses that reported that the user is not signed in. */
export const unauthorized = signal(0);

/** Sends a request as the user of the session. Rejects with an `ApiError` if the response is not a success. */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', accept = 'application/json', contentType = 'application/json', body, signal } = options;
  const headers = new Headers({ accept, 'x-keelson-console': proof.get() });
  // The server uses this header only in dry runs.
  if (method !== 'GET') headers.set(explainHeader, 'true');
  if (body !== undefined) headers.set('content-type', contentType);
  if (options.as) {
    headers.set('impersonate-user', options.as.user);
    for (const group of options.as.groups) headers.append('impersonate-group', group);
  }
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body: sent ?? null, signal: signal ?? null, redirect: 'error' });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ code: 0, message: 'The server cannot be reached.' }, { cause: error });
  }
  if (response.ok) return response;
  if (response.status === 401) unauthorized.value += 1;
  throw await ApiError.of(response);
}

export async function requestJson<T>(path: string, options?: RequestOptions): Promise<T> {
  return (await (await request(path, options)).json()) as T;
}

export interface WriteResponse<T> {
  readonly value: T;
  readonly warnings: readonly string[];
  /** The admission steps of a dry run. */
  readonly steps: readonly AdmissionStep[];
}

/** Writes an object. Returns it with the warnings and admission steps of the response. */
export async function writeObject<T>(path: string, options: RequestOptions): Promise<WriteResponse<T>> {
  const response = await request(path, options);
  const warnings = parseWarnings(response.headers.get('warning') ?? '');
  return { value: (await response.json()) as T, warnings, steps: admissionSteps(response.headers) };
}

/** Parses `Warning` headers: `299 - "text"`, separated by commas. */
export function parseWarnings(header: string): string[] {
  return [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!.replace(/\\(.)/g, '$1'));
}
