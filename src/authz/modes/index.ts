/**
 * The authorizers of a server, in the order in which its flags or a file name them. What only few servers need, such as
 * webhooks and the reader of the file, is not loaded from here.
 */
export type { AuthorizationConfiguration } from './authorization-configuration.ts';
export { AuthorizationModes, type OpenWebhook } from './authorization-modes.ts';
export { configurationOfModes } from './configuration-of-modes.ts';
