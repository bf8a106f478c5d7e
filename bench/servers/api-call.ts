import { type Agent, request } from 'node:https';
import { jsonType, type LoadRequest, type Target } from '../load/load-plan.ts';
import type { Server } from './server.ts';

export interface ApiResponse {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Sends a single request, by default on a connection of its own. Fails unless the response is a success. */
export function callApi(
  target: Target,
  { method, path, body, ...types }: LoadRequest,
  agent: Agent | false = false,
): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const { accept = jsonType, contentType = jsonType } = types;
    const headers = {
      accept,
      ...(body && { 'content-type': contentType }),
      ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }),
    };
    const call = request({ ...target, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const content = Buffer.concat(chunks);
        const status = response.statusCode ?? 0;
        if (status < 300) resolve({ contentType: response.headers['content-type'] ?? '', body: content });
        else reject(new Error(`${method} ${path}: the server answered ${status}: ${content.toString().slice(0, 500)}`));
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** Returns the resource version from which a watch receives all future events and no existing objects. */
export async function collectionVersion(server: Server, path: string): Promise<string> {
  const { body } = await callApi(server.target('http/1.1'), { method: 'GET', path: `${path}?limit=1` });
  return (JSON.parse(body.toString()) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}
