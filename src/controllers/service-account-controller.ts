import type { Controller } from './controller.ts';
import { keepInNamespaces } from './keep-in-namespaces.ts';

/** Keeps the service account `default` in every namespace, which pods use by default. */
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
