import { type DocumentBounds, requestBounds } from '../../codec/document-bounds.ts';
import { decodeJson } from '../../codec/json/index.ts';
import { typeMetaStruct } from '../../codec/open-document.ts';
import { BoundsError } from '../../meta/bounds-error.ts';
import type { HttpResponse } from '../http-target.ts';
import { statusText } from '../status-texts.ts';

/** How much of a text response is shown. */
const maxShownBytes = 2048;

type CompleteResponse = HttpResponse & { readonly body: Buffer };

/**
 * Decodes the review in a response and ignores its content type, because simple webhooks do not set one. Throws an
 * Error with the message of client-go for a status that is not a success, a response that is not an object, and a
 * Status with a failure.
 */
export function readReview(
  { status, headers, body }: CompleteResponse,
  bounds: DocumentBounds,
): Readonly<Record<string, unknown>> {
  const contentType = headers['content-type'] ?? '';
  if (status < 200 || status > 206) throw new Error(failureText(status, contentType, body));
  if (body.length === 0) {
    throw new Error(`0-length response with status code: ${status} and content type: ${contentType}`);
  }
  const value = decoded(body, bounds);
  if (value.kind === 'Status' && value.status !== 'Success') throw new Error(String(value.message ?? ''));
  return value;
}

/** The message of a Status in the body, otherwise a sentence about the code. */
function failureText(status: number, contentType: string, body: Buffer): string {
  return statusMessage(body) ?? statusText(status, shownText(contentType, body));
}

function decoded(body: Buffer, bounds: DocumentBounds): Readonly<Record<string, unknown>> {
  const prefix = "couldn't get version/kind; json parse error: ";
  let value: unknown;
  try {
    ({ value } = decodeJson(body, bounds));
  } catch (cause) {
    // kube-apiserver reads what does not look like an object as YAML, where any text is a string.
    const isObject =
      cause instanceof BoundsError || body.toString('latin1', 0, maxShownBytes).trimStart().startsWith('{');
    throw new Error(`${prefix}${isObject ? (cause as Error).message : wrongType('string')}`, { cause });
  }
  if (value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  const type = Array.isArray(value) ? 'array' : typeof value;
  throw new Error(`${prefix}${wrongType(type === 'boolean' ? 'bool' : type === 'bigint' ? 'number' : type)}`);
}

const wrongType = (type: string): string => `json: cannot unmarshal ${type} into Go value of type ${typeMetaStruct}`;

function statusMessage(body: Buffer): string | undefined {
  try {
    const { value } = decodeJson(body, requestBounds);
    const { kind, status, message } = (value ?? {}) as Record<string, unknown>;
    return kind === 'Status' && status === 'Failure' && typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

function shownText(contentType: string, body: Buffer): string {
  if (contentType !== '' && !contentType.startsWith('text/')) return 'unknown';
  return body.toString('utf8', 0, maxShownBytes).trim();
}
