import type { UserInfo } from '../authn/user.ts';
import type { Exchange } from './exchange.ts';
import type { ObjectForms } from './object-forms.ts';
import type { RequestInfo } from './request-info.ts';
import { warningHeaders } from './warning-headers.ts';

/** One request on its way through the pipeline. Each filter fills in what the later ones rely on. */
export class RequestContext {
  readonly exchange: Exchange;
  /** What the server speaks. */
  readonly forms: ObjectForms;
  info: RequestInfo;
  user: UserInfo | undefined;
  #query: URLSearchParams | undefined;
  #warnings: string[] | undefined;

  constructor(exchange: Exchange, info: RequestInfo, forms: ObjectForms) {
    this.exchange = exchange;
    this.forms = forms;
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
    this.#warnings.push(text);
    this.exchange.setHeader('warning', warningHeaders(this.#warnings));
  };
}
