/** The section has sensitive actions, which may ask the user to show who they are. */
export { ReauthenticationProvider as default } from "#components/reauthentication/provider.tsx";
