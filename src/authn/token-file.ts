import type { UserInfo } from '../meta/user.ts';
import { readCsv } from './read-csv.ts';
import { type TokenAuthenticator, type TokenUser, tokenDigest } from './token-authenticator.ts';

export interface TokenFileOptions {
  /** Receives warnings about unusable lines. Never contains a token. */
  readonly warn?: (text: string) => void;
}

/** Static tokens from a file with lines `token,user,uid,"group1,group2"`. Only digests are kept. */
export class TokenFile implements TokenAuthenticator {
  readonly #options: TokenFileOptions;
  #users: ReadonlyMap<string, TokenUser>;

  /** Throws a RangeError for malformed content. */
  constructor(content: Buffer | string, options: TokenFileOptions = {}) {
    this.#options = options;
    this.#users = this.#read(content);
  }

  /** Replaces all tokens. Malformed content throws a RangeError and changes nothing. */
  replace(content: Buffer | string): void {
    this.#users = this.#read(content);
  }

  authenticateToken(token: string): TokenUser | undefined {
    return this.#users.get(tokenDigest(token));
  }

  #read(content: Buffer | string): Map<string, TokenUser> {
    const users = new Map<string, TokenUser>();
    try {
      for (const { line, fields } of readCsv(content.toString())) {
        const [token, name, uid, groups = ''] = fields;
        if (name === undefined || uid === undefined) {
          const found = `must have at least 3 columns (token, user name, user uid), found ${fields.length}`;
          throw new RangeError(`line ${line}: ${found}`);
        }
        if (token === '') {
          this.#options.warn?.(`token file: line ${line}: empty token`);
          continue;
        }
        const digest = tokenDigest(token!);
        if (users.has(digest)) this.#options.warn?.(`token file: line ${line}: duplicate token, the last one wins`);
        users.set(digest, { user: userOf({ name, uid, groups }) });
      }
    } catch (error) {
      if (error instanceof RangeError) throw new RangeError(`token file: ${error.message}`);
      throw error;
    }
    return users;
  }
}

function userOf({ name, uid, groups }: { name: string; uid: string; groups: string }): UserInfo {
  return { name, uid, groups: groups.split(',').filter((group) => group !== ''), extra: {} };
}
