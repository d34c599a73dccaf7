#include "plant/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

#define REMEDY "apt-get install libegl1 libgl1-mesa-dri"

struct offscreen {
    void *library;
    EGLDisplay display;
    EGLContext context;
    PFNEGLGETPLATFORMDISPLAYPROC get_display;
    PFNEGLINITIALIZEPROC initialize;
    PFNEGLBINDAPIPROC bind;
    PFNEGLCREATECONTEXTPROC create;
    PFNEGLMAKECURRENTPROC make_current;
    PFNEGLDESTROYCONTEXTPROC destroy;
    PFNEGLTERMINATEPROC terminate;
};

static void *symbol(const struct offscreen *egl, const char *name)
{
    return egl->library == NULL ? NULL : dlsym(egl->library, name);
}

// MuJoCo finds OpenGL by what is loaded: hence globally.
static bool load(struct offscreen *egl)
{
    egl->library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    egl->get_display = (PFNEGLGETPLATFORMDISPLAYPROC)symbol(egl, "eglGetPlatformDisplay");
    egl->initialize = (PFNEGLINITIALIZEPROC)symbol(egl, "eglInitialize");
    egl->bind = (PFNEGLBINDAPIPROC)symbol(egl, "eglBindAPI");
    egl->create = (PFNEGLCREATECONTEXTPROC)symbol(egl, "eglCreateContext");
    egl->make_current = (PFNEGLMAKECURRENTPROC)symbol(egl, "eglMakeCurrent");
    egl->destroy = (PFNEGLDESTROYCONTEXTPROC)symbol(egl, "eglDestroyContext");
    egl->terminate = (PFNEGLTERMINATEPROC)symbol(egl, "eglTerminate");
    return egl->get_display != NULL && egl->initialize != NULL && egl->bind != NULL &&
           egl->create != NULL && egl->make_current != NULL && egl->destroy != NULL &&
           egl->terminate != NULL;
}

// Mesa draws without any device; the context needs no surface, as MuJoCo has a buffer of its own.
static bool start(struct offscreen *egl)
{
    egl->display = egl->get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (egl->display == EGL_NO_DISPLAY || !egl->initialize(egl->display, NULL, NULL) ||
        !egl->bind(EGL_OPENGL_API))
        return false;
    egl->context = egl->create(egl->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
    return egl->context != EGL_NO_CONTEXT &&
           egl->make_current(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl->context);
}

enum status offscreen_open(struct offscreen **offscreen)
{
    struct offscreen *egl = calloc(1, sizeof *egl);
    *offscreen = NULL;
    if (egl == NULL)
        return STATUS_NO_MEMORY;
    if (!load(egl))
        log_error("pictures: this machine has no libEGL.so.1; " REMEDY);
    else if (!start(egl))
        log_error("pictures: EGL draws no OpenGL here; " REMEDY);
    else
        *offscreen = egl;
    if (*offscreen == NULL)
        offscreen_close(egl);
    return *offscreen == NULL ? STATUS_UNSUPPORTED : STATUS_OK;
}

// The library stays: what it has started cannot be unloaded.
void offscreen_close(struct offscreen *egl)
{
    if (egl == NULL)
        return;
    if (egl->display != EGL_NO_DISPLAY) {
        (void)egl->make_current(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (egl->context != EGL_NO_CONTEXT)
            (void)egl->destroy(egl->display, egl->context);
        (void)egl->terminate(egl->display);
    }
    free(egl);
}
