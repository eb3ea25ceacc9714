// The stock client, as a page loads it.
export { addListener, getProviderById, getProviders, request } from "@sats-connect/core";
