/**
 * The authorizers of a server, in the order of its flags or its configuration file. Webhooks and the file parser are
 * not loaded from here, because few servers need them.
 */
export type { AuthorizationConfiguration } from './authorization-configuration.ts';
export { AuthorizationModes, type AuthorizationModesOptions, type OpenWebhook } from './authorization-modes.ts';
export { configurationOfModes } from './configuration-of-modes.ts';
