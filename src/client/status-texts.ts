import { goQuote } from '../meta/go-quote.ts';

const texts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** The messages of client-go for status codes other than success. `explanation` is the text of the response. */
export function statusText(status: number, explanation: string): string {
  const known = status === 403 ? explanation : texts[status];
  if (known !== undefined) return known;
  if (status >= 500)
    return `an error on the server (${goQuote(explanation)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${status} but did not return more information`;
}
