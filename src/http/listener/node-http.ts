import { createRequire } from 'node:module';

/**
 * node:http as `require` returns it. An ESM import reads every export of a built-in module, and one of them loads
 * Node's whole fetch implementation. It would take a tenth of the server's start time and memory, and is not used.
 */
export const { createServer, ServerResponse, STATUS_CODES } = createRequire(import.meta.url)(
  'node:http',
) as typeof import('node:http');
