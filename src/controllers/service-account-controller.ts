import type { Controller } from './controller.ts';
import { keepInNamespaces } from './keep-in-namespaces.ts';
import type { KeptObject } from './kept-object.ts';

const keeps: KeptObject = {
  type: { group: '', version: 'v1', resource: 'serviceaccounts' },
  name: 'default',
  metadataOnly: true,
  isRight: () => true,
  content: {},
};

/** Keeps the service account `default` in every namespace, which pods use by default. */
export const serviceAccountController: Controller = {
  name: 'serviceaccount-controller',
  aliases: ['serviceaccount'],
  keeps,
  run: (tools, signal) => keepInNamespaces(tools, keeps, signal),
};
