// SPDX-License-Identifier: Apache-2.0
// A stand-in for libddcutil 1.4: the symbols that brightness-ddc uses, over monitors that are directories.
//
//   $DDCUTIL_MONITORS/NUMBER/maker, model, serial, edid    what it says of itself; NUMBER is its i2c bus
//                            current, maximum              VCP feature 0x10
//                            capabilities                  what it says that it can do; nothing if there is none
//                            power                         the last VCP feature 0xD6 that was written
//                            most                          the highest value that it keeps; any if there is none
//                            hides                         if it exists, it does not answer while it is off or
//                                                          asleep, and a search lists it as invalid
//                            asleep                        1 while it is
//                            delay                         milliseconds that a read or write takes; 50 if there is none
//                            fault                         what a read or write does instead: a status, `hang` or `crash`
//                            log                           every access, a line each: milliseconds, then what it was
//
// Built by the tests; loaded in place of the real one with LD_LIBRARY_PATH.
#include <ddcutil_c_api.h>
#include <ddcutil_status_codes.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *root(void) {
    const char *path = getenv("DDCUTIL_MONITORS");
    return path ? path : "/nonexistent";
}

static FILE *file(int bus, const char *name, const char *mode) {
    char path[512];
    snprintf(path, sizeof path, "%s/%d/%s", root(), bus, name);
    return fopen(path, mode);
}

static int is_plugged(int bus) {
    char path[512];
    snprintf(path, sizeof path, "%s/%d", root(), bus);
    return access(path, F_OK) == 0;
}

static void text(int bus, const char *name, char *field, size_t size) {
    memset(field, 0, size);
    FILE *f = file(bus, name, "r");
    if (!f) return;
    size_t count = fread(field, 1, size - 1, f);
    field[count] = 0;
    field[strcspn(field, "\n")] = 0;
    fclose(f);
}

static int number(int bus, const char *name, int otherwise) {
    char field[32];
    text(bus, name, field, sizeof field);
    return *field ? atoi(field) : otherwise;
}

static void set(int bus, const char *name, int value) {
    FILE *f = file(bus, name, "w");
    if (!f) return;
    fprintf(f, "%d\n", value);
    fclose(f);
}

static void note(int bus, const char *format, ...) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    FILE *f = file(bus, "log", "a");
    if (!f) return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(f, "%lld ", (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    vfprintf(f, format, arguments);
    fprintf(f, "\n");
    va_end(arguments);
    fclose(f);
}

// The time or the fault of an access.
static DDCA_Status begin(int bus) {
    usleep(number(bus, "delay", 50) * 1000);
    char fault[32];
    text(bus, "fault", fault, sizeof fault);
    if (!strcmp(fault, "crash")) abort();
    while (!strcmp(fault, "hang")) pause();
    if (!is_plugged(bus)) return DDCRC_INVALID_DISPLAY;
    return *fault ? atoi(fault) : DDCRC_OK;
}

// Whether a write is followed by a read: a setting of each thread, as in the library.
static _Thread_local bool verifies;

bool ddca_enable_verify(bool on) {
    bool before = verifies;
    verifies = on;
    return before;
}

const char *ddca_rc_name(DDCA_Status status) { return status ? "STAND_IN" : "OK"; }

static const size_t list_size = sizeof(DDCA_Display_Info_List) + 16 * sizeof(DDCA_Display_Info);

// The result of the last search. As in the library, the first list searches, and then only a redetection.
static DDCA_Display_Info_List *found;

// Whether it is off or asleep, and hides then.
static int is_silent(int bus) {
    char hides[32];
    text(bus, "hides", hides, sizeof hides);
    return *hides && (number(bus, "power", 1) != 1 || number(bus, "asleep", 0));
}

static DDCA_Display_Info_List *search(void) {
    DDCA_Display_Info_List *list = calloc(1, list_size);
    DIR *directory = opendir(root());
    struct dirent *entry;
    while (directory && (entry = readdir(directory)) && list->ct < 16) {
        int bus = atoi(entry->d_name);
        if (bus <= 0) continue;
        DDCA_Display_Info *info = &list->info[list->ct++];
        memcpy(info->marker, DDCA_DISPLAY_INFO_MARKER, sizeof info->marker);
        info->dispno = is_silent(bus) ? -1 : list->ct;
        info->path.io_mode = DDCA_IO_I2C;
        info->path.path.i2c_busno = bus;
        info->dref = (void *)(long)bus;
        text(bus, "maker", info->mfg_id, sizeof info->mfg_id);
        text(bus, "model", info->model_name, sizeof info->model_name);
        text(bus, "serial", info->sn, sizeof info->sn);
        FILE *f = file(bus, "edid", "r");
        if (f && fread(info->edid_bytes, 1, 128, f)) fclose(f);
        note(bus, "detect");
    }
    if (directory) closedir(directory);
    return list;
}

DDCA_Status ddca_get_display_info_list2(bool invalid, DDCA_Display_Info_List **result) {
    if (!found) found = search();
    *result = calloc(1, list_size);
    for (int index = 0; index < found->ct; index++) {
        if (invalid || found->info[index].dispno > 0) (*result)->info[(*result)->ct++] = found->info[index];
    }
    return DDCRC_OK;
}

void ddca_free_display_info_list(DDCA_Display_Info_List *list) { free(list); }

DDCA_Status ddca_redetect_displays(void) {
    free(found);
    found = search();
    return DDCRC_OK;
}

DDCA_Status ddca_open_display2(DDCA_Display_Ref reference, bool wait, DDCA_Display_Handle *handle) {
    (void)wait;
    *handle = reference;
    return is_plugged((int)(long)reference) ? DDCRC_OK : DDCRC_INVALID_DISPLAY;
}

DDCA_Status ddca_close_display(DDCA_Display_Handle handle) {
    (void)handle;
    return DDCRC_OK;
}

DDCA_Status ddca_get_non_table_vcp_value(DDCA_Display_Handle handle, DDCA_Vcp_Feature_Code code, DDCA_Non_Table_Vcp_Value *value) {
    int bus = (int)(long)handle;
    note(bus, "read %#x", code);
    DDCA_Status status = begin(bus);
    if (status || is_silent(bus)) return status ? status : DDCRC_RETRIES;
    int current = number(bus, "current", 0), maximum = number(bus, "maximum", 100);
    *value = (DDCA_Non_Table_Vcp_Value){maximum >> 8, maximum & 0xFF, current >> 8, current & 0xFF};
    return DDCRC_OK;
}

DDCA_Status ddca_get_capabilities_string(DDCA_Display_Handle handle, char **result) {
    int bus = (int)(long)handle;
    note(bus, "capabilities");
    DDCA_Status status = begin(bus);
    if (status) return status;
    char field[512];
    text(bus, "capabilities", field, sizeof field);
    *result = strdup(field);
    return DDCRC_OK;
}

DDCA_Status ddca_set_non_table_vcp_value(DDCA_Display_Handle handle, DDCA_Vcp_Feature_Code code, uint8_t high, uint8_t low) {
    int bus = (int)(long)handle, value = high << 8 | low;
    note(bus, "write %#x %d", code, value);
    DDCA_Status status = begin(bus);
    if (status) return status;
    int kept = code == 0xD6 ? value : value < number(bus, "most", value) ? value : number(bus, "most", value);
    set(bus, code == 0xD6 ? "power" : "current", kept);
    if (verifies) note(bus, "verify %#x", code);
    // A library that prints must not be taken for an answer.
    printf("stand-in: monitor %d shows %d\n", bus, kept);
    return verifies && kept != value ? DDCRC_VERIFY : DDCRC_OK;
}
