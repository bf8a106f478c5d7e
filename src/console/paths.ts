export const root = '/console/';
/** Says who is signed in, signs in and signs out. */
export const sessionPath = '/console/session';
/** Where clients of the API request links that sign browsers in. */
export const linksPath = '/console/links';
