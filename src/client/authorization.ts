import { readFile } from 'node:fs/promises';
import type { ClientCredentials } from './server-access.ts';

const tokenFileMs = 60_000;

interface AuthorizationHeader {
  readonly authorization: string;
}

/** The `Authorization` header of the requests of a client. */
export class Authorization {
  readonly #credentials: ClientCredentials;
  readonly #now: () => number;
  #fileToken: { readonly value: string; readonly readAt: number } | undefined;

  constructor(credentials: ClientCredentials, now: () => number = Date.now) {
    this.#credentials = credentials;
    this.#now = now;
  }

  /** Undefined without a token or password. Rejects when the token file has never been readable. */
  async header(): Promise<AuthorizationHeader | undefined> {
    const { token, tokenFile, basic } = this.#credentials;
    if (tokenFile !== undefined) return { authorization: `Bearer ${await this.#tokenOf(tokenFile)}` };
    if (token !== undefined) return { authorization: `Bearer ${token}` };
    if (basic === undefined) return undefined;
    return { authorization: `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}` };
  }

  async #tokenOf(path: string): Promise<string> {
    const now = this.#now();
    if (this.#fileToken !== undefined && now - this.#fileToken.readAt < tokenFileMs) return this.#fileToken.value;
    try {
      this.#fileToken = { value: (await readFile(path, 'utf8')).trim(), readAt: now };
    } catch (cause) {
      // The file may be in the process of being replaced, so the old token stays in use.
      if (this.#fileToken === undefined) throw new Error('unable to read the token file', { cause });
    }
    return this.#fileToken.value;
  }
}
