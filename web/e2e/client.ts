// The stock client as a page would load it.
export { addListener, getProviderById, getProviders, request } from "@sats-connect/core";
