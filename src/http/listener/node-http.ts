import { createRequire } from 'node:module';

/**
 * node:http as `require` gives it. An ESM import reads every export of a built-in module, and one of http's loads Node's whole
 * fetch implementation: a tenth of the time and memory of a server's start, for something that is not used.
 */
export const { createServer, ServerResponse, STATUS_CODES } = createRequire(import.meta.url)(
  'node:http',
) as typeof import('node:http');
