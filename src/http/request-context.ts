import type { UserInfo } from '../authn/user.ts';
import type { Exchange } from './exchange.ts';
import type { RequestInfo } from './request-info.ts';

/** One request on its way through the pipeline. Each filter fills in what the later ones rely on. */
export class RequestContext {
  readonly exchange: Exchange;
  info: RequestInfo;
  user: UserInfo | undefined;
  #query: URLSearchParams | undefined;
  #warnings: string[] | undefined;

  constructor(exchange: Exchange, info: RequestInfo) {
    this.exchange = exchange;
    this.info = info;
    this.user = undefined;
  }

  /** Parsed on first use. */
  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.exchange.query);
    return this.#query;
  }

  /** The first value of a query parameter, empty when absent. */
  parameter(name: string): string {
    return this.exchange.query === '' ? '' : (this.query.get(name) ?? '');
  }

  /** Adds a `Warning` header to the answer; repeated texts are sent once. */
  readonly warn = (text: string): void => {
    this.#warnings ??= [];
    // A control character would end the header.
    if (/[\x00-\x1f\x7f]/.test(text) || this.#warnings.includes(text)) return;
    this.#warnings.push(text);
    const escaped = (warning: string) => `299 - "${warning.replace(/["\\]/g, '\\$&')}"`;
    this.exchange.setHeader('warning', this.#warnings.map(escaped));
  };
}
