import type { ResourceObject } from '../meta/object.ts';
import type { Controller } from './controller.ts';
import { keepInNamespaces } from './keep-in-namespaces.ts';
import type { KeptObject } from './kept-object.ts';

const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Publishes the CA bundle (PEM) of the server in a config map of every namespace. */
export function rootCaPublisher(caCert: string): Controller {
  const keeps: KeptObject = {
    type: { group: '', version: 'v1', resource: 'configmaps' },
    name: 'kube-root-ca.crt',
    metadataOnly: false,
    isRight: (object) => isPublished(object, caCert),
    content: {
      data: { 'ca.crt': caCert },
      metadata: { annotations: { 'kubernetes.io/description': description } },
    },
  };
  return {
    name: 'root-ca-certificate-publisher-controller',
    aliases: ['root-ca-cert-publisher'],
    keeps,
    run: (tools, signal) => keepInNamespaces(tools, keeps, signal),
  };
}

function isPublished({ data }: ResourceObject, caCert: string): boolean {
  return (data as Record<string, string> | undefined)?.['ca.crt'] === caCert;
}
