import { forbiddenValue, invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import type { Container } from '../container-types.ts';
import { type Handler, HTTPGetAction, type Lifecycle, type Probe } from '../probe-types.ts';
import { stopSignals } from '../stop-signals.ts';
import { checkHeaderName, checkPort, checkPortNumber, checkPresent, type Errors } from './field-checks.ts';

const schemes = enumOf(HTTPGetAction, 'scheme');
const windowsSignals = ['SIGKILL', 'SIGTERM'];
const linuxSignals = [...stopSignals].sort();
const counters = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

export interface ProbeContext {
  /** The termination grace period of the pod. A sleep hook may not exceed it. */
  readonly gracePeriod: number | undefined;
  readonly operatingSystem: string | undefined;
  readonly errors: Errors;
}

/** Validates containers that run as long as their pod: regular containers and sidecars. */
export function validateHooksAndProbes(container: Container, field: string, context: ProbeContext): void {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  const { errors } = context;
  if (lifecycle !== undefined) validateLifecycle(lifecycle, `${field}.lifecycle`, context);
  if (livenessProbe !== undefined) {
    validateProbe(livenessProbe, `${field}.livenessProbe`, context);
    validateSingleSuccess(livenessProbe, `${field}.livenessProbe`, errors);
  }
  if (readinessProbe !== undefined) {
    validateProbe(readinessProbe, `${field}.readinessProbe`, context);
    const { terminationGracePeriodSeconds: seconds } = readinessProbe;
    if (seconds !== undefined) {
      const path = `${field}.readinessProbe.terminationGracePeriodSeconds`;
      errors.push(invalidValue(path, seconds, 'must not be set for readinessProbes'));
    }
  }
  if (startupProbe !== undefined) {
    validateProbe(startupProbe, `${field}.startupProbe`, context);
    validateSingleSuccess(startupProbe, `${field}.startupProbe`, errors);
  }
}

function validateSingleSuccess({ successThreshold = 0 }: Probe, field: string, errors: Errors): void {
  if (successThreshold !== 1) errors.push(invalidValue(`${field}.successThreshold`, successThreshold, 'must be 1'));
}

function validateProbe(probe: Probe, field: string, context: ProbeContext): void {
  validateHandler(probe, field, context);
  for (const name of counters) {
    const value = probe[name] ?? 0;
    if (value < 0) context.errors.push(invalidValue(`${field}.${name}`, value, 'must be greater than or equal to 0'));
  }
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds !== undefined && seconds <= 0) {
    context.errors.push(invalidValue(`${field}.terminationGracePeriodSeconds`, seconds, 'must be greater than 0'));
  }
}

function validateLifecycle(lifecycle: Lifecycle, field: string, context: ProbeContext): void {
  const { postStart, preStop, stopSignal } = lifecycle;
  if (postStart !== undefined) validateHandler(postStart, `${field}.postStart`, context);
  if (preStop !== undefined) validateHandler(preStop, `${field}.preStop`, context);
  if (stopSignal === undefined) return;
  const { operatingSystem, errors } = context;
  if (!operatingSystem) {
    const detail = 'may not be set for containers with empty `spec.os.name`';
    errors.push(forbiddenValue(`${field}.stopSignal`, detail));
    return;
  }
  const supported = operatingSystem === 'windows' ? windowsSignals : linuxSignals;
  if (!supported.includes(stopSignal)) errors.push(notSupportedValue(`${field}.stopSignal`, stopSignal, supported));
}

function validateHandler(handler: Handler, field: string, { gracePeriod, errors }: ProbeContext): void {
  let count = 0;
  const isFirst = (name: string): boolean => {
    if (count++ === 0) return true;
    errors.push(forbiddenValue(`${field}.${name}`, 'may not specify more than 1 handler type'));
    return false;
  };
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  if (exec !== undefined && isFirst('exec') && !exec.command?.length) {
    errors.push(requiredValue(`${field}.exec.command`));
  }
  if (httpGet !== undefined && isFirst('httpGet')) validateHttpGet(httpGet, `${field}.httpGet`, errors);
  if (tcpSocket !== undefined && isFirst('tcpSocket')) checkPort(tcpSocket.port, `${field}.tcpSocket.port`, errors);
  if (grpc !== undefined && isFirst('grpc')) checkPortNumber(grpc.port ?? 0, `${field}.grpc.port`, errors);
  if (sleep !== undefined && isFirst('sleep')) {
    const { seconds = 0 } = sleep;
    if (gracePeriod !== undefined && (seconds < 0 || seconds > gracePeriod)) {
      const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
      errors.push(invalidValue(`${field}.sleep`, seconds, detail));
    }
  }
  if (count === 0) errors.push(requiredValue(field, 'must specify a handler type'));
}

function validateHttpGet({ path, port, scheme = '', httpHeaders }: HTTPGetAction, field: string, errors: Errors): void {
  checkPresent(path, `${field}.path`, errors);
  checkPort(port, `${field}.port`, errors);
  if (!schemes.includes(scheme)) errors.push(notSupportedValue(`${field}.scheme`, scheme, schemes));
  for (const { name = '' } of httpHeaders ?? []) checkHeaderName(name, `${field}.httpHeaders`, errors);
}
