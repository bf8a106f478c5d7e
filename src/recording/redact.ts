import { redactRequest, redactResponse } from '../audit/redact-body.ts';
import { redactUri } from '../audit/redact-uri.ts';
import { redacted } from '../audit/redacted.ts';
import { scrub } from '../audit/scrub.ts';
import type { ResourceTarget } from '../http/request-info.ts';

export { redacted } from '../audit/redacted.ts';

/** Patterns that are secrets in any field: private keys, parts of kubeconfigs, and tokens. */
const secretTexts = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(client-key-data|client-certificate-data|id-token|refresh-token)\b\s*["']?\s*:/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/,
];

/** The headers that a replay needs. No others are recorded, least of all credentials. */
const recordedHeaders = ['accept', 'content-type', 'user-agent', 'impersonate-user', 'impersonate-group'];

/** Removes secrets from the requests and responses of one exchange. */
export class Redaction {
  readonly #target: ResourceTarget | undefined;
  /** Secrets found in the request are also removed from its response, for example from an error message. */
  readonly #found = new Set<string>();

  constructor(target: ResourceTarget | undefined) {
    this.#target = target;
  }

  path(path: string, query: string): string {
    return redactUri(path, query, this.#found);
  }

  headers(header: (name: string) => string | undefined): Record<string, string> {
    const pairs = recordedHeaders.map((name) => [name, header(name)] as const);
    return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
  }

  request(body: unknown): unknown {
    return hideSecretTexts(redactRequest(body, this.#options()));
  }

  response(body: unknown): unknown {
    return hideSecretTexts(scrub(redactResponse(body, this.#options()), this.#found));
  }

  event(event: { readonly object?: unknown }): unknown {
    return { ...event, object: this.response(event.object) };
  }

  #options(): Parameters<typeof redactRequest>[1] {
    return { target: this.#target, found: this.#found, omitManagedFields: false };
  }
}

function hideSecretTexts(value: unknown): unknown {
  if (typeof value === 'string') return secretTexts.some((pattern) => pattern.test(value)) ? redacted : value;
  if (Array.isArray(value)) return value.map(hideSecretTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hideSecretTexts(inner)]));
}
