/** The field manager of the console. */
export const fieldManager = 'keelson-console';
