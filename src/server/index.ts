/**
 * The composition root: options are read, the parts are made and wired, the server listens, drains and stops. No behaviour of
 * the API lives here.
 */
export type { Logger, ServerOptions } from './options.ts';
export { type Server, startServer } from './start-server.ts';
