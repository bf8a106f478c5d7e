import type { Controller } from './controller.ts';
import { keepInNamespaces } from './keep-in-namespaces.ts';

/** Gives every namespace the service account that its pods have when they name none. */
export const serviceAccountController: Controller = {
  name: 'serviceaccount-controller',
  aliases: ['serviceaccount'],
  run: (tools, signal) =>
    keepInNamespaces(
      tools,
      {
        type: { group: '', version: 'v1', resource: 'serviceaccounts' },
        name: 'default',
        metadataOnly: true,
        isRight: () => true,
        content: {},
      },
      signal,
    ),
};
