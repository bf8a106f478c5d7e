import { list, text } from './flags.ts';

const names = (name: string, help: string) =>
  ({ name, placeholder: 'NAME,..', help, kind: 'list', parse: list }) as const;

/** Flags for admission. */
export const admissionFlags = {
  enableAdmissionPlugins: names(
    'enable-admission-plugins',
    'Admission plugins to enable in addition to the default ones. The order does not matter.',
  ),
  disableAdmissionPlugins: names('disable-admission-plugins', 'Admission plugins to disable.'),
  admissionControlConfigFile: {
    name: 'admission-control-config-file',
    placeholder: 'FILE',
    help: 'File with an AdmissionConfiguration (YAML): the configurations of admission plugins.',
    parse: text,
  },
} as const;
