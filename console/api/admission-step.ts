/** What one plugin, webhook or policy did to an object. */
export interface AdmissionStep {
  readonly plugin: string;
  /** The webhook, or the policy and its binding. */
  readonly source?: string;
  readonly phase?: string;
  /** A JSON patch. Values may be left out. */
  readonly patch?: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[];
  readonly denied?: string;
}

/** Asks a dry run to tell who changed or denied the object. */
export const explainHeader = 'keelson-explain-admission';

/** What a response tells about admission, to those who may know it. */
export function admissionSteps(headers: Headers): AdmissionStep[] {
  const header = headers.get('keelson-admission');
  if (header === null) return [];
  try {
    return JSON.parse(`[${header}]`) as AdmissionStep[];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
