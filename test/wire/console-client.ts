import { request } from 'node:https';
import { expect } from 'vitest';
import type { ApiResponse, Call, TestApi } from './api.ts';
import type { KeyPair } from './certificates.ts';

export const session = '/console/session';
export const links = '/console/links';

/** Returns the token in the response to a request for a link. */
export function tokenOf({ status, body, text }: ApiResponse): string {
  expect(status, text).toBe(200);
  return body.path.split('=')[1];
}

export function signIn(api: TestApi, token: string, headers: Call['headers'] = {}): Promise<ApiResponse> {
  return api.post(session, { token }, { credentials: false, headers: { 'x-keelson-console': 'sign-in', ...headers } });
}

/** Signs in and returns what the page sends with every request. */
export async function signedIn(api: TestApi, token: string): Promise<Call & { readonly expiresAt: string }> {
  const response = await signIn(api, token);
  expect(response.status, response.text).toBe(200);
  return { ...callOf(response), expiresAt: response.body.expiresAt };
}

/** A request in the session of this sign-in. */
export function callOf({ headers, body }: ApiResponse): Call {
  const cookie = headers['set-cookie']![0]!.split(';')[0]!;
  return { credentials: false, headers: { cookie, 'x-keelson-console': body.proof } };
}

/** The name of the user who is signed in. Undefined for none. */
export async function userOf(api: TestApi, call: Call): Promise<string | undefined> {
  return (await api.get(session, call)).body.user?.username;
}

/** Requests a link over a new connection with a client certificate. */
export function linkBy(api: TestApi, { cert, key }: KeyPair, headers: Call['headers'] = {}): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent: false, ca: api.tls.ca, cert, key, headers };
    const sent = request(new URL(links, api.server.url), options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode!, headers: response.headers, text, body: JSON.parse(text) });
      });
    });
    sent.on('error', reject).end();
  });
}
