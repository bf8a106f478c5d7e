import { CollectedFindings, ConfigurationFields, inContext } from '../codec/configuration/index.ts';
import { decodeYaml } from '../codec/yaml/index.ts';
import { invalidValue } from '../meta/field-error.ts';
import { goQuote } from '../meta/go-quote.ts';

export interface TracingConfiguration {
  /** The collector, as `host:port` or with a scheme of gRPC. */
  readonly endpoint: string;
  /** The number of traced requests per million requests without a parent. */
  readonly samplingRatePerMillion: number;
}

const versions = ['v1', 'v1beta1', 'v1alpha1'].map((version) => `apiserver.config.k8s.io/${version}`);
const kind = 'TracingConfiguration';
const schemes = ['dns', 'unix', 'ipv4', 'ipv6'];

/** Parses a TracingConfiguration in YAML or JSON. Throws a RangeError that lists all errors. */
export function parseTracingConfiguration(content: Buffer): TracingConfiguration {
  return inContext('tracing configuration', () => {
    if (content.length === 0) throw new RangeError('the file is empty');
    const findings = new CollectedFindings();
    const { value, duplicates } = decodeYaml(content);
    findings.decoding.push(...duplicates);
    const root = new ConfigurationFields<CollectedFindings>(value, findings);
    if (!versions.includes(root.text('apiVersion')) || root.text('kind') !== kind) {
      throw new RangeError(`must be of kind ${goQuote(kind)} and apiVersion ${goQuote(versions[0]!)}`);
    }
    const endpoint = root.text('endpoint') || 'localhost:4317';
    const samplingRatePerMillion = root.integer('samplingRatePerMillion') ?? 0;
    if (!(samplingRatePerMillion >= 0 && samplingRatePerMillion <= 1_000_000)) {
      const problem = 'sampling rate must be between zero and one million, inclusive';
      findings.add(invalidValue('samplingRatePerMillion', samplingRatePerMillion, problem));
    }
    const scheme = /^([a-z0-9+.-]+):\/\//i.exec(endpoint)?.[1];
    if (scheme !== undefined && !schemes.includes(scheme)) {
      findings.add(
        invalidValue('endpoint', endpoint, `unsupported scheme: ${scheme}. Options are none, dns, unix, ipv4 and ipv6`),
      );
    }
    root.end();
    findings.check();
    return { endpoint, samplingRatePerMillion };
  });
}
