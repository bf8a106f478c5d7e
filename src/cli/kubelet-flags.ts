import type { ServerOptions } from '../server/index.ts';
import { duration, integer, list, text } from './flags.ts';

type AddressTypes = ServerOptions['kubeletPreferredAddressTypes'];

/** Flags for requests to kubelets. */
export const kubeletFlags = {
  kubeletClientCertificate: {
    name: 'kubelet-client-certificate',
    placeholder: 'FILE',
    help: 'File with the client certificate (PEM) that the server presents to kubelets.',
    parse: text,
  },
  kubeletClientKey: {
    name: 'kubelet-client-key',
    placeholder: 'FILE',
    help: 'File with the private key (PEM) of --kubelet-client-certificate.',
    parse: text,
  },
  kubeletCertificateAuthority: {
    name: 'kubelet-certificate-authority',
    placeholder: 'FILE',
    help: 'File with the CA certificates (PEM) of kubelets. Without it their certificates are not verified.',
    parse: text,
  },
  kubeletPreferredAddressTypes: {
    name: 'kubelet-preferred-address-types',
    placeholder: 'TYPE,..',
    fallback: 'Hostname,InternalDNS,InternalIP,ExternalDNS,ExternalIP',
    help: 'Types of node addresses for connections to kubelets. The first one that a node has is used.',
    kind: 'list',
    // The server checks the names.
    parse: (value: string) => list(value) as unknown as AddressTypes,
  },
  kubeletPort: {
    name: 'kubelet-port',
    placeholder: 'PORT',
    fallback: '10250',
    help: 'Port of kubelets whose node status does not contain it.',
    parse: integer({ min: 1, max: 65535 }),
  },
  kubeletTimeoutMs: {
    name: 'kubelet-timeout',
    placeholder: 'DURATION',
    fallback: '5s',
    help: 'Time limit to connect to a kubelet.',
    parse: duration,
  },
} as const;
