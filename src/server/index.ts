/**
 * The composition root: reads the options, creates and connects the components, starts the listener, drains and stops.
 * It implements no API behaviour.
 */
export type { Logger } from '../meta/logger.ts';
export type { ServerOptions } from './options.ts';
export type { Server } from './server.ts';
export type { ServerComponents, StartInternals } from './server-components.ts';
export { openStorage, startServer, startServerOn } from './start-server.ts';
